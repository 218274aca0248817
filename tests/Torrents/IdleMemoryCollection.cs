namespace NzbDav.Torrents.Tests;

/// <summary>Tests that look at the whole heap: nothing else runs beside them.</summary>
[CollectionDefinition(nameof(IdleMemoryTests), DisableParallelization = true)]
public sealed class IdleMemoryCollection;
