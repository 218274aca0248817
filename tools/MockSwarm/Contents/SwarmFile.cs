namespace NzbDav.MockSwarm.Contents;

/// <summary>One file to be shared.</summary>
/// <param name="Path">Its path in the torrent, parts joined with '/'.</param>
/// <param name="Length">Bytes.</param>
/// <param name="IsPadding">Zeros, marked as BEP 47 says.</param>
public sealed record SwarmFile(string Path, long Length, bool IsPadding = false);
