using NzbDav.Content;
using NzbDav.Usenet.Articles;

namespace NzbDav.Usenet.Disk;

/// <summary>What the cache's thread is given to do: an article to write, or something to run.</summary>
internal readonly record struct DiskCacheWork(string Id, ulong Key, ArticleHeader? Header, ContentLease? Bytes, Action? Run);
