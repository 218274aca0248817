using NzbDav.Content;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Disk;

/// <summary>Work for the cache's thread: an article to write, or an action to run.</summary>
internal readonly record struct DiskCacheWork(string Id, ulong Key, ArticleHeader? Header, ContentLease? Bytes, Action? Run);
