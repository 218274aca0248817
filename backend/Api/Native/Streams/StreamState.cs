namespace NzbDav.Api.Native.Streams;


/// <summary>What a stream does now.</summary>
internal enum StreamState
{
    /// <summary>Bytes are sent.</summary>
    Streaming,

    /// <summary>The client waits for bytes that are not here yet.</summary>
    Waiting,

    /// <summary>The client takes nothing.</summary>
    Idle,
}
