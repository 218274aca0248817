using NzbDav.Api.Native.Documents;

namespace NzbDav.Api.Native.Events;

/// <summary>The data of an event, for the API document.</summary>
internal sealed class DocumentedTopic(Type type) : IDocumentedType
{
    public Type Type => type;
}
