namespace NzbDav.Torrents.Tests;

/// <summary>Tests that measure the whole heap: nothing else runs at the same time.</summary>
[CollectionDefinition(nameof(IdleMemoryTests), DisableParallelization = true)]
public sealed class IdleMemoryCollection;
