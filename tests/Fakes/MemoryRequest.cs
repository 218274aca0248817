using NzbDav.Content;

namespace NzbDav.Fakes;

/// <summary>What a reader of <see cref="MemoryContent"/> was opened with.</summary>
public readonly record struct MemoryRequest(long Start, long End, ReadIntent Intent);
