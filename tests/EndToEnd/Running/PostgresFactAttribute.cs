using System.Runtime.CompilerServices;
using NzbDav.Fakes;

namespace NzbDav.EndToEnd.Tests.Running;

/// <summary>
/// A test that needs PostgreSQL. Without Debian's <c>postgresql</c> it is skipped and says so, but never in CI. Projects that run whole
/// classes on PostgreSQL use it as <c>[Fact]</c>.
/// </summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class PostgresFactAttribute : Xunit.FactAttribute
{
    /// <summary>Collection of the classes with such tests: some stop the server, so all run one after the other.</summary>
    public const string Collection = "PostgreSQL";

    public PostgresFactAttribute([CallerFilePath] string? file = null, [CallerLineNumber] int line = -1)
        : base(file, line) => Skip = PostgresServer.WhyNot;
}

/// <inheritdoc cref="PostgresFactAttribute"/>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class PostgresTheoryAttribute : Xunit.TheoryAttribute
{
    public PostgresTheoryAttribute([CallerFilePath] string? file = null, [CallerLineNumber] int line = -1)
        : base(file, line) => Skip = PostgresServer.WhyNot;
}
