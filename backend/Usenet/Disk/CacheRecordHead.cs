using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Disk;

/// <summary>Header of a record.</summary>
/// <param name="Place">Where it is.</param>
/// <param name="Id">The article's id.</param>
/// <param name="Header">What the article's own header says.</param>
/// <param name="Length">Decoded bytes.</param>
/// <param name="Size">Bytes of the record's header.</param>
internal sealed record CacheRecordHead(CachePlace Place, string Id, ArticleHeader Header, int Length, int Size);
