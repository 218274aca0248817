namespace NzbDav.Api.Native.Streams;


/// <summary>Current state of a stream.</summary>
internal enum StreamState
{
    /// <summary>Bytes are being sent.</summary>
    Streaming,

    /// <summary>The client waits for bytes that have not arrived yet.</summary>
    Waiting,

    /// <summary>The client reads nothing.</summary>
    Idle,
}
