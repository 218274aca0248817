namespace NzbDav.WebDav.Properties;

/// <summary>When an item shows a property.</summary>
internal enum PropertyPresence
{
    /// <summary>Never: 404.</summary>
    Absent,

    /// <summary>When asked for by name.</summary>
    ByName,

    /// <summary>With allprop too.</summary>
    Always,
}
