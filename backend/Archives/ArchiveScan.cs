using System.Collections.Immutable;
using NzbDav.Archives.Layouts;
using NzbDav.Archives.Signatures;

namespace NzbDav.Archives;

/// <summary>The archives among the files of a post, and the kind of each file.</summary>
/// <param name="Layouts">The archives among them, those with the lowest first volume first. A file is in one layout at most; one that is in none is what it is.</param>
/// <param name="Kinds">The kind of each file. <see cref="FileKind.Unknown"/> also for the unreadable and for volumes that were reckoned.</param>
/// <param name="Unreadable">Files whose first bytes could not be had. If they were volumes, their set is refused.</param>
public sealed record ArchiveScan(ImmutableArray<ArchiveLayout> Layouts, ImmutableArray<FileKind> Kinds, ImmutableArray<UnreadableFile> Unreadable);
