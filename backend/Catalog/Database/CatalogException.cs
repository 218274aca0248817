namespace NzbDav.Catalog.Database;

/// <summary>The catalog cannot do its work; the message says what to do about it.</summary>
public sealed class CatalogException : IOException
{
    public CatalogException(CatalogFault fault, string message)
        : base(message) => Fault = fault;

    public CatalogException(CatalogFault fault, string message, Exception? innerException)
        : base(message, innerException) => Fault = fault;

    /// <summary>What kind of trouble.</summary>
    public CatalogFault Fault { get; }
}
