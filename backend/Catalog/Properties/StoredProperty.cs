namespace NzbDav.Catalog.Properties;

/// <summary>A property that a client attached to an item.</summary>
/// <param name="Namespace">Of its name; empty for none.</param>
/// <param name="Name">Local name.</param>
/// <param name="Value">The element as XML; null removes the property.</param>
public readonly record struct StoredProperty(string Namespace, string Name, string? Value);
