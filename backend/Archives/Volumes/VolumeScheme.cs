namespace NzbDav.Archives.Volumes;

/// <summary>How volumes are numbered in their names.</summary>
internal enum VolumeScheme
{
    /// <summary><c>x.part1.rar</c>.</summary>
    Part,

    /// <summary><c>x.rar, x.r00</c>; <see cref="VolumeName.Number"/> 0 for the first of them, 1 for the second.</summary>
    Letter,

    /// <summary><c>x.001</c>.</summary>
    Numeric,
}
