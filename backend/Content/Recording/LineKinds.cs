namespace NzbDav.Content.Recording;

/// <summary>The kinds of <see cref="RecordedLine"/>.</summary>
public static class LineKinds
{
    /// <summary>The first line.</summary>
    public const string Recording = "recording";

    /// <summary>A provider.</summary>
    public const string Provider = "provider";

    /// <summary>A file and how it was posted.</summary>
    public const string File = "file";

    /// <summary>A client asks for bytes.</summary>
    public const string Request = "request";

    /// <summary>The first bytes for a request are available.</summary>
    public const string First = "first";

    /// <summary>Bytes were sent.</summary>
    public const string Sent = "sent";

    /// <summary>A wait for bytes is over.</summary>
    public const string Wait = "wait";

    /// <summary>A request is over.</summary>
    public const string End = "end";

    /// <summary>A provider was asked for an article.</summary>
    public const string Article = "article";

    /// <summary>A provider was asked whether it has an article.</summary>
    public const string Stat = "stat";

    /// <summary>A connection was opened.</summary>
    public const string Opened = "opened";

    /// <summary>A connection could not be opened.</summary>
    public const string Failed = "failed";

    /// <summary>A connection ended.</summary>
    public const string Closed = "closed";

    /// <summary>An account allows fewer connections than configured.</summary>
    public const string Cap = "cap";

    /// <summary>The last line: the recording is complete.</summary>
    public const string Over = "over";
}
