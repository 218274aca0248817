namespace NzbDav.Migration.Rebuilding;

/// <summary>The volumes of one archive, or the pieces of one file.</summary>
/// <param name="Name">Of a file in it.</param>
/// <param name="Layout">That file's.</param>
/// <param name="Volumes">In order.</param>
internal sealed record VolumeSet(string Name, FileLayout Layout, IReadOnlyList<PostPart> Volumes);
