package dev.kubeinformer.test.internal.cel;

import java.time.DateTimeException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelErrorCode;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.extensions.CelExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

import dev.kubeinformer.test.internal.schema.RuleEngine;

/**
 * Compiles and evaluates the rules of custom resources with the library
 * {@code dev.cel:cel}. Adds Kubernetes' functions for lists, regular expressions and
 * quantities. Rules that use other functions of Kubernetes are skipped; each such rule is
 * logged once.
 */
final class CelRules implements RuleEngine {

	private static final Logger logger = LoggerFactory.getLogger(CelRules.class);

	// Functions of Kubernetes that this class lacks.
	private static final List<String> MISSING = List.of("url", "isURL", "ip", "isIP", "ip.isCanonical", "cidr",
			"isCIDR", "format", "format.named", "semver", "isSemver", "authorizer");

	private static final CelOptions OPTIONS = CelOptions.current()
		.enableHeterogeneousNumericComparisons(true)
		.enableOptionalSyntax(true)
		.build();

	private final CelRuntime runtime = CelRuntimeFactory.standardCelRuntimeBuilder()
		.setOptions(OPTIONS)
		.addLibraries(CelExtensions.strings(), CelExtensions.sets(OPTIONS), CelExtensions.optional())
		.addFunctionBindings(KubernetesFunctions.bindings())
		.build();

	private final Set<String> skipped = ConcurrentHashMap.newKeySet();

	@Override
	public Program compile(String expression, JsonNode schema, boolean resource, boolean optional) {
		return compile(expression, schema, resource, optional, SimpleType.BOOL);
	}

	@Override
	public Program compileText(String expression, JsonNode schema, boolean resource, boolean optional) {
		return compile(expression, schema, resource, optional, SimpleType.STRING);
	}

	private Program compile(String expression, JsonNode schema, boolean resource, boolean optional, CelType wanted) {
		SchemaTypes types = new SchemaTypes(schema, resource);
		CelType self = types.root();
		CelCompiler compiler = CelCompilerFactory.standardCelCompilerBuilder()
			.setOptions(OPTIONS)
			.setStandardMacros(CelStandardMacro.STANDARD_MACROS)
			.setTypeProvider(types)
			.addVar("self", self)
			.addVar("oldSelf", (optional) ? OptionalType.create(self) : self)
			.addLibraries(CelExtensions.strings(), CelExtensions.sets(OPTIONS), CelExtensions.optional())
			.addFunctionDeclarations(KubernetesFunctions.declarations())
			.build();
		try {
			CelAbstractSyntaxTree tree = compiler.compile(expression.strip()).getAst();
			CelType found = tree.getResultType();
			if (!wanted.isAssignableFrom(found)) {
				return failed("cel expression must evaluate to a " + wanted.name());
			}
			boolean usesBefore = tree.getReferenceMap()
				.values()
				.stream()
				.anyMatch((reference) -> "oldSelf".equals(reference.name()));
			CelRuntime.Program program = this.runtime.createProgram(tree);
			return new Program((now, before, optionally) -> evaluate(program, schema, now, before, optionally),
					usesBefore, null);
		}
		catch (CelValidationException ex) {
			String why = String.valueOf(ex.getMessage());
			if (MISSING.stream().anyMatch((name) -> why.contains("undeclared reference to '" + name + "'"))) {
				return skip(expression, why);
			}
			return failed("compilation failed: " + goWords(why));
		}
		catch (CelEvaluationException ex) {
			return failed("instantiation failed: " + ex.getMessage());
		}
	}

	private static String goWords(String why) {
		return why.replaceAll(" \\(candidates: .*\\)\\n", "\n")
			.replaceAll(
					"(<input>:\\d+:\\d+: )(?=mismatched input|extraneous input|token recognition|no viable|missing )",
					"$1Syntax error: ");
	}

	private static Program failed(String why) {
		return new Program((self, before, optionally) -> Result.TRUE, false, why);
	}

	private Program skip(String expression, String why) {
		if (this.skipped.add(expression)) {
			logger.warn("The rule '{}' is not evaluated, because it uses a library that the embedded API lacks: {}",
					expression, why);
		}
		return RuleEngine.NONE.compile(expression, MissingNode.getInstance(), false, false);
	}

	private static Result evaluate(CelRuntime.Program program, JsonNode schema, JsonNode self,
			@Nullable JsonNode before, boolean optional) {
		try {
			Map<String, Object> variables = new HashMap<>();
			variables.put("self", CelValues.of(self, schema));
			Object old = (before != null) ? CelValues.of(before, schema) : null;
			if (optional) {
				variables.put("oldSelf", Optional.ofNullable(old));
			}
			else if (old != null) {
				variables.put("oldSelf", old);
			}
			return new Result(program.eval(variables), null);
		}
		catch (CelEvaluationException ex) {
			return new Result(false, words(ex));
		}
		catch (IllegalArgumentException | DateTimeException ex) {
			return new Result(false, ex.getMessage());
		}
	}

	// Translates the most common failures into the words of cel-go.
	private static String words(CelEvaluationException exception) {
		String message = String.valueOf(exception.getMessage());
		CelErrorCode code = exception.getErrorCode();
		if (code == CelErrorCode.DIVIDE_BY_ZERO) {
			return "division by zero";
		}
		if (code == CelErrorCode.ATTRIBUTE_NOT_FOUND) {
			return message.replaceAll("(?s).*key '([^']*)' is not present in map.*", "no such key: $1");
		}
		return message.replaceFirst("(?s)^evaluation error[^:]*: ", "");
	}

}
