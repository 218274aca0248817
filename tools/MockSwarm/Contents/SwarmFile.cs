namespace NzbDav.MockSwarm.Contents;

/// <summary>A file to share.</summary>
/// <param name="Path">Its path in the torrent, parts joined with '/'.</param>
/// <param name="Length">Length in bytes.</param>
/// <param name="IsPadding">True for a padding file: zeros, marked as in BEP 47.</param>
/// <param name="IsLink">True for a symbolic link to "target", marked as in BEP 47; without bytes of its own.</param>
public sealed record SwarmFile(string Path, long Length, bool IsPadding = false, bool IsLink = false);
