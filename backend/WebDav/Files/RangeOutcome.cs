namespace NzbDav.WebDav.Files;

/// <summary>What a Range header asks for.</summary>
internal enum RangeOutcome
{
    /// <summary>No header, or one to be ignored: 200 with the whole file.</summary>
    Whole,

    /// <summary>206 with the parts.</summary>
    Parts,

    /// <summary>416: nothing of it lies inside the file.</summary>
    Unsatisfiable,
}
