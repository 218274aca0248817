using System.Collections.Immutable;
using NzbDav.Archives.Layouts;
using NzbDav.Archives.Signatures;

namespace NzbDav.Archives;

/// <summary>The archives among the files of a post, and the kind of each file.</summary>
/// <param name="Layouts">The archives, ordered by the index of their first volume. Each file is in at most one layout; a file in none is a plain file.</param>
/// <param name="Kinds">The kind of each file. <see cref="FileKind.Unknown"/> also for unreadable files and for inferred volumes.</param>
/// <param name="Unreadable">Files whose first bytes could not be read. If they are volumes, their set is refused.</param>
public sealed record ArchiveScan(ImmutableArray<ArchiveLayout> Layouts, ImmutableArray<FileKind> Kinds, ImmutableArray<UnreadableFile> Unreadable);
