namespace NzbDav.Host.Page;

/// <summary>A file of the built page on disk.</summary>
/// <param name="Path">Its path on disk.</param>
/// <param name="ContentType">Its media type, with a charset for text.</param>
/// <param name="IsImmutable">True if its name contains a hash of its content: browsers may cache it forever.</param>
/// <param name="Hash">Hash of its content. The ETags of compressed copies append their coding.</param>
/// <param name="Brotli">Length of the copy at <c>Path.br</c>; null: there is none.</param>
/// <param name="Gzip">Length of the copy at <c>Path.gz</c>; null: there is none.</param>
/// <param name="Length">Bytes.</param>
internal sealed record PageFile(string Path, string ContentType, bool IsImmutable, string Hash, long? Brotli, long? Gzip, long Length);
