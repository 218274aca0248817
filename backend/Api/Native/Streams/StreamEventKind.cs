namespace NzbDav.Api.Native.Streams;

/// <summary>What happened to a stream, or at a provider while it ran.</summary>
internal enum StreamEventKind
{
    /// <summary>The client asked for bytes.</summary>
    Request,

    /// <summary>The client waited for bytes.</summary>
    Wait,

    /// <summary>A connection to a provider was lost.</summary>
    Lost,

    /// <summary>A connection on which nothing came was given up.</summary>
    Silent,

    /// <summary>A provider let no connection be opened.</summary>
    Failed,

    /// <summary>A provider allows fewer connections than configured.</summary>
    Capped,
}
