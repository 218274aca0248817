namespace NzbDav.WebDav.Streams;

/// <summary>What a stream does.</summary>
public enum StreamActivity
{
    /// <summary>Bytes are sent.</summary>
    Streaming,

    /// <summary>A response waits for bytes that are not here yet.</summary>
    Waiting,

    /// <summary>The client takes nothing, or asks for nothing now.</summary>
    Idle,
}
