namespace NzbDav.Api.Native.Documents;

/// <summary>A type that the API document describes although no route returns it.</summary>
internal interface IDocumentedType
{
    /// <summary>The type that is serialized as JSON.</summary>
    Type Type { get; }
}
