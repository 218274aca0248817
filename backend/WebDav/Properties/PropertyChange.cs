using NzbDav.WebDav.Xml;

namespace NzbDav.WebDav.Properties;

/// <summary>One instruction of a PROPPATCH.</summary>
/// <param name="Name">Which property.</param>
/// <param name="Xml">Its element (see <see cref="DeadProperty.Xml"/>); null removes it.</param>
public readonly record struct PropertyChange(PropertyName Name, string? Xml);
