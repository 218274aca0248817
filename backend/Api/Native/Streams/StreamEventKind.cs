namespace NzbDav.Api.Native.Streams;

/// <summary>Kind of a stream's event.</summary>
internal enum StreamEventKind
{
    /// <summary>The client requested bytes.</summary>
    Request,

    /// <summary>The client waited for bytes.</summary>
    Wait,

    /// <summary>A connection to a provider was lost.</summary>
    Lost,

    /// <summary>A connection on which nothing arrived was given up.</summary>
    Silent,

    /// <summary>A connection to a provider could not be opened.</summary>
    Failed,

    /// <summary>A provider allows fewer connections than configured.</summary>
    Capped,
}
