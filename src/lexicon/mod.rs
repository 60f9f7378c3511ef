//! The word list in its compiled forms.
