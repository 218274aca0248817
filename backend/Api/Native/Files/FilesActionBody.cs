namespace NzbDav.Api.Native.Files;

/// <summary>What is to be done with files.</summary>
/// <param name="Action">What.</param>
/// <param name="Ids">The items; 1 … 1,000, one alone for a new name.</param>
/// <param name="ParentId">Move: where to.</param>
/// <param name="Name">Rename: the new name.</param>
/// <param name="Force">Delete: also what a library has, or may have, a link to.</param>
internal sealed record FilesActionBody(FilesActionKind? Action, IReadOnlyList<string?>? Ids, string? ParentId = null, string? Name = null, bool? Force = null);
