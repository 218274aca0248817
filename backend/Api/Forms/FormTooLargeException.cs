namespace NzbDav.Api.Forms;

/// <summary>A form is larger than its caller may send; caught where the form is read.</summary>
/// <param name="most">Number of bytes allowed.</param>
internal sealed class FormTooLargeException(long most)
    : IOException(most < 1 << 20 ? $"the form is larger than {most >> 10} KiB" : $"the upload is larger than {most >> 20} MiB");
