namespace NzbDav.Archives.Tests;

/// <summary>Tests that measure the process run while no other test does.</summary>
[CollectionDefinition(nameof(Alone), DisableParallelization = true)]
public class Alone;
