namespace NzbDav.Api.Native.Files;

/// <summary>An action on files and collections.</summary>
/// <param name="Action">The action.</param>
/// <param name="Ids">Ids of the items: 1 to 1,000; exactly one for rename.</param>
/// <param name="ParentId">Move: id of the target collection.</param>
/// <param name="Name">Rename: the new name.</param>
/// <param name="Force">Delete: also delete files to which a library has, or may have, a link.</param>
internal sealed record FilesActionBody(FilesActionKind? Action, IReadOnlyList<string?>? Ids, string? ParentId = null, string? Name = null, bool? Force = null);
