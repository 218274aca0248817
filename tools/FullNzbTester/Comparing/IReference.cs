using NzbDav.FullNzbTester.Stages;

namespace NzbDav.FullNzbTester.Comparing;

/// <summary>What the bytes that are read must be. Thread-safe; each check belongs to one reader.</summary>
internal interface IReference
{
    /// <summary>A reader begins at <paramref name="start"/>; disposing the check says that it has left.</summary>
    IRangeCheck Open(Stage stage, long start);
}
