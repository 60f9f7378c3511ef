//! Makes the rows of results, which are dataclasses of `tilewright/rows.py`.

use pyo3::call::PyCallArgs;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// Makes a value of this class of `tilewright/rows.py` from its fields in order.
pub fn row<'py>(py: Python<'py>, class: &str, fields: impl PyCallArgs<'py>) -> PyResult<Bound<'py, PyAny>> {
    static ROWS: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let rows = ROWS.get_or_try_init(py, || py.import("tilewright.rows").map(Bound::unbind))?;
    rows.bind(py).getattr(class)?.call1(fields)
}
