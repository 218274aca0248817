using NzbDav.WebDav.Xml;

namespace NzbDav.WebDav.Properties;

/// <summary>A property that a client made up.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Xml">The whole element with every namespace that it uses declared on itself.</param>
public sealed record DeadProperty(PropertyName Name, string Xml);
