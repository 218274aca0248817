namespace NzbDav.Usenet.Articles;

/// <summary>An article that was made again.</summary>
/// <param name="Ids">What stands for it wherever a segment has an id (<see cref="Nzb.ArticleIds"/>).</param>
/// <param name="Header">What its own header would say.</param>
/// <param name="Bytes">Its decoded bytes, as many as the header says.</param>
public sealed record ArticlePatch(string Ids, ArticleHeader Header, ReadOnlyMemory<byte> Bytes);
