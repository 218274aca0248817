namespace NzbDav.Api.Native.Files;


/// <summary>Part of a list of files and collections.</summary>
/// <param name="Items">In the requested order.</param>
/// <param name="Total">How many there are without paging.</param>
/// <param name="Offset">How many come before the first of these.</param>
/// <param name="Parent">The collection that is listed; null for a search.</param>
/// <param name="Ancestors">From the root down to the collection that holds <paramref name="Parent"/>.</param>
internal sealed record FilePageBody(IReadOnlyList<FileItemBody> Items, int Total, int Offset, FileItemBody? Parent, IReadOnlyList<FileAncestorBody> Ancestors);
