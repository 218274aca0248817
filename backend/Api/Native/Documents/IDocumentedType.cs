namespace NzbDav.Api.Native.Documents;

/// <summary>A type that the API's document describes although no route answers with it.</summary>
internal interface IDocumentedType
{
    /// <summary>What is written as JSON.</summary>
    Type Type { get; }
}
