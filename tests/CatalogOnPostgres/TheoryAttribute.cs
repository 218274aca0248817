using NzbDav.Fakes;

namespace NzbDav.Catalog.Tests;

/// <inheritdoc cref="FactAttribute"/>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class TheoryAttribute : Xunit.TheoryAttribute
{
    public TheoryAttribute() => Skip = PostgresServer.WhyNot;
}
