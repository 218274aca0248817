namespace NzbDav.Api.Native.Files;


/// <summary>Who uses a file.</summary>
/// <param name="Given">Since when an *arr or a library may have its link; null: it was never read.</param>
/// <param name="Holder">The link in a library that holds it; null: none.</param>
/// <param name="Lost">Since when no library has it that had it; null: not lost.</param>
/// <param name="Hidden">Since when it is not shown over WebDAV; null: shown.</param>
internal sealed record FileLinksBody(DateTimeOffset? Given, string? Holder, DateTimeOffset? Lost, DateTimeOffset? Hidden);
