namespace NzbDav.Api.Native.Files;


/// <summary>Part of a list of files and collections.</summary>
/// <param name="Items">In the order that was asked for.</param>
/// <param name="Total">How many there are without paging.</param>
/// <param name="Offset">How many stand before the first of these.</param>
/// <param name="Parent">The collection that is listed; null for a search.</param>
/// <param name="Ancestors">From the top down to the collection that holds <paramref name="Parent"/>.</param>
internal sealed record FilePageBody(IReadOnlyList<FileItemBody> Items, int Total, int Offset, FileItemBody? Parent, IReadOnlyList<FileAncestorBody> Ancestors);
