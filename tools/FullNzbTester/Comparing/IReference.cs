using NzbDav.FullNzbTester.Stages;

namespace NzbDav.FullNzbTester.Comparing;

/// <summary>The expected bytes of a file. Thread-safe; each check belongs to one reader.</summary>
internal interface IReference
{
    /// <summary>Opens a check for a reader that begins at <paramref name="start"/>. Disposing it ends the check.</summary>
    IRangeCheck Open(Stage stage, long start);
}
