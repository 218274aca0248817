namespace NzbDav.Library.Export;

/// <summary>The form that a file of the tree takes in an exported library.</summary>
public enum ExportForm
{
    /// <summary><c>video.strm</c>: a text with an address.</summary>
    Address,

    /// <summary><c>video.mkv</c>: a symbolic link into a mount.</summary>
    Link,

    /// <summary><c>video.nfo</c>: what is known of a title, as media servers read it.</summary>
    Details,
}
