using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Articles;

/// <summary>An article restored from recovery data.</summary>
/// <param name="Ids">Its ids as a segment stores them (<see cref="Nzb.ArticleIds"/>).</param>
/// <param name="Header">The header that the original would have.</param>
/// <param name="Bytes">Its decoded bytes, as many as the header says.</param>
public sealed record ArticlePatch(string Ids, ArticleHeader Header, ReadOnlyMemory<byte> Bytes);
