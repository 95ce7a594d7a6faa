package dev.kubeinformer.test.internal.cel;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeParamType;
import dev.cel.runtime.CelFunctionBinding;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.custom.QuantityFormatException;

/**
 * Functions that Kubernetes adds to the Common Expression Language, for lists, regular
 * expressions and quantities (pkg/cel/library of k8s.io/apiserver).
 */
final class KubernetesFunctions {

	private static final CelType ITEM = TypeParamType.create("T");

	private static final CelType LIST = ListType.create(ITEM);

	private static final CelType QUANTITY = OpaqueType.create("kubernetes.Quantity");

	private KubernetesFunctions() {
	}

	static List<CelFunctionDecl> declarations() {
		return List.of(member("isSorted", SimpleType.BOOL, LIST), member("sum", ITEM, LIST), member("min", ITEM, LIST),
				member("max", ITEM, LIST), member("indexOf", SimpleType.INT, LIST, ITEM),
				member("lastIndexOf", SimpleType.INT, LIST, ITEM),
				member("find", SimpleType.STRING, SimpleType.STRING, SimpleType.STRING),
				CelFunctionDecl.newFunctionDeclaration("findAll",
						CelOverloadDecl.newMemberOverload("k8s_findAll", ListType.create(SimpleType.STRING),
								SimpleType.STRING, SimpleType.STRING),
						CelOverloadDecl.newMemberOverload("k8s_findAll_limit", ListType.create(SimpleType.STRING),
								SimpleType.STRING, SimpleType.STRING, SimpleType.INT)),
				global("quantity", QUANTITY), global("isQuantity", SimpleType.BOOL),
				member("isInteger", SimpleType.BOOL, QUANTITY), member("asInteger", SimpleType.INT, QUANTITY),
				member("asApproximateFloat", SimpleType.DOUBLE, QUANTITY), member("sign", SimpleType.INT, QUANTITY),
				member("isGreaterThan", SimpleType.BOOL, QUANTITY, QUANTITY),
				member("isLessThan", SimpleType.BOOL, QUANTITY, QUANTITY),
				member("compareTo", SimpleType.INT, QUANTITY, QUANTITY), sum("add"), sum("sub"));
	}

	private static CelFunctionDecl member(String name, CelType result, CelType... arguments) {
		return CelFunctionDecl.newFunctionDeclaration(name,
				CelOverloadDecl.newMemberOverload("k8s_" + name, result, arguments));
	}

	private static CelFunctionDecl global(String name, CelType result) {
		return CelFunctionDecl.newFunctionDeclaration(name,
				CelOverloadDecl.newGlobalOverload("k8s_" + name, result, SimpleType.STRING));
	}

	private static CelFunctionDecl sum(String name) {
		return CelFunctionDecl.newFunctionDeclaration(name,
				CelOverloadDecl.newMemberOverload("k8s_" + name, QUANTITY, QUANTITY, QUANTITY),
				CelOverloadDecl.newMemberOverload("k8s_" + name + "_int", QUANTITY, QUANTITY, SimpleType.INT));
	}

	static List<CelFunctionBinding> bindings() {
		List<CelFunctionBinding> bindings = new ArrayList<>();
		bindings.add(CelFunctionBinding.from("k8s_isSorted", List.class, (list) -> isSorted(typed(list))));
		bindings.add(CelFunctionBinding.from("k8s_sum", List.class, (list) -> sumOf(typed(list))));
		bindings.add(CelFunctionBinding.from("k8s_min", List.class,
				(list) -> typed(list).stream()
					.min(order())
					.orElseThrow(() -> new IllegalArgumentException("min called on empty list"))));
		bindings.add(CelFunctionBinding.from("k8s_max", List.class,
				(list) -> typed(list).stream()
					.max(order())
					.orElseThrow(() -> new IllegalArgumentException("max called on empty list"))));
		bindings.add(CelFunctionBinding.from("k8s_indexOf", List.class, Object.class,
				(list, item) -> (long) typed(list).indexOf(item)));
		bindings.add(CelFunctionBinding.from("k8s_lastIndexOf", List.class, Object.class,
				(list, item) -> (long) typed(list).lastIndexOf(item)));
		bindings.add(CelFunctionBinding.from("k8s_find", String.class, String.class, KubernetesFunctions::find));
		bindings.add(CelFunctionBinding.from("k8s_findAll", String.class, String.class,
				(text, expression) -> findAll(text, expression, -1)));
		bindings.add(CelFunctionBinding.from("k8s_findAll_limit", List.of(String.class, String.class, Long.class),
				(arguments) -> findAll((String) arguments[0], (String) arguments[1], (Long) arguments[2])));
		bindings.add(CelFunctionBinding.from("k8s_quantity", String.class, KubernetesFunctions::quantity));
		bindings.add(CelFunctionBinding.from("k8s_isQuantity", String.class, KubernetesFunctions::isQuantity));
		number(bindings, "isInteger", (number) -> number.stripTrailingZeros().scale() <= 0);
		number(bindings, "asInteger", (number) -> number.longValueExact());
		number(bindings, "asApproximateFloat", BigDecimal::doubleValue);
		number(bindings, "sign", (number) -> (long) number.signum());
		bindings.add(CelFunctionBinding.from("k8s_isGreaterThan", BigDecimal.class, BigDecimal.class,
				(one, other) -> one.compareTo(other) > 0));
		bindings.add(CelFunctionBinding.from("k8s_isLessThan", BigDecimal.class, BigDecimal.class,
				(one, other) -> one.compareTo(other) < 0));
		bindings.add(CelFunctionBinding.from("k8s_compareTo", BigDecimal.class, BigDecimal.class,
				(one, other) -> (long) one.compareTo(other)));
		bindings.add(CelFunctionBinding.from("k8s_add", BigDecimal.class, BigDecimal.class, BigDecimal::add));
		bindings.add(CelFunctionBinding.from("k8s_sub", BigDecimal.class, BigDecimal.class, BigDecimal::subtract));
		bindings.add(CelFunctionBinding.from("k8s_add_int", BigDecimal.class, Long.class,
				(one, other) -> one.add(BigDecimal.valueOf(other))));
		bindings.add(CelFunctionBinding.from("k8s_sub_int", BigDecimal.class, Long.class,
				(one, other) -> one.subtract(BigDecimal.valueOf(other))));
		return bindings;
	}

	private static void number(List<CelFunctionBinding> bindings, String name, Function<BigDecimal, Object> function) {
		bindings.add(CelFunctionBinding.from("k8s_" + name, BigDecimal.class, function::apply));
	}

	@SuppressWarnings("unchecked")
	private static List<Object> typed(List<?> list) {
		return (List<Object>) list;
	}

	@SuppressWarnings("unchecked")
	private static Comparator<Object> order() {
		return (one, other) -> ((Comparable<Object>) one).compareTo(other);
	}

	private static boolean isSorted(List<Object> list) {
		for (int i = 1; i < list.size(); i++) {
			if (order().compare(list.get(i - 1), list.get(i)) > 0) {
				return false;
			}
		}
		return true;
	}

	private static Object sumOf(List<Object> list) {
		if (list.stream().anyMatch(Double.class::isInstance)) {
			return list.stream().mapToDouble((item) -> ((Number) item).doubleValue()).sum();
		}
		return list.stream().mapToLong((item) -> ((Number) item).longValue()).sum();
	}

	private static String find(String text, String expression) {
		Matcher matcher = Pattern.compile(expression).matcher(text);
		return (matcher.find()) ? matcher.group() : "";
	}

	private static List<String> findAll(String text, String expression, long limit) {
		return Pattern.compile(expression)
			.matcher(text)
			.results()
			.map((result) -> result.group())
			.limit((limit < 0) ? Long.MAX_VALUE : limit)
			.toList();
	}

	private static BigDecimal quantity(String text) {
		return Quantity.fromString(text).getNumber();
	}

	private static boolean isQuantity(String text) {
		try {
			Quantity.fromString(text);
			return !text.isEmpty();
		}
		catch (QuantityFormatException | NumberFormatException ex) {
			return false;
		}
	}

}
