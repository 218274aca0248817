namespace NzbDav.EndToEnd.Tests.Running;

/// <summary>One response element of a PROPFIND.</summary>
internal sealed record Entry(string Href, string Name, bool IsCollection, long Size, DateTimeOffset Modified, string ETag);
