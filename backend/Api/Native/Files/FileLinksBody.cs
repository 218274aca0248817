namespace NzbDav.Api.Native.Files;


/// <summary>Which libraries use a file.</summary>
/// <param name="Given">Since when an *arr or a library may have a link to it; null: its link was never read.</param>
/// <param name="Holder">The library link that points to it; null: none.</param>
/// <param name="Lost">Since when the library links to it are gone; null: not lost.</param>
/// <param name="Hidden">Since when it is hidden from WebDAV; null: it is shown.</param>
internal sealed record FileLinksBody(DateTimeOffset? Given, string? Holder, DateTimeOffset? Lost, DateTimeOffset? Hidden);
