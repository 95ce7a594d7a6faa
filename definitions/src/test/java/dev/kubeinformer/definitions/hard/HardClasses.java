package dev.kubeinformer.definitions.hard;

import java.util.List;
import java.util.stream.Stream;

import io.kubernetes.client.common.KubernetesObject;

/**
 * All classes that are hard to describe.
 */
public final class HardClasses {

	private HardClasses() {
	}

	public static List<Class<?>> all() {
		return Stream.of(ValueClasses.class, ModelClasses.class, RuleClasses.class)
			.flatMap((each) -> Stream.of(each.getDeclaredClasses()))
			.filter((each) -> each.isAnnotationPresent(dev.kubeinformer.resource.KubernetesResource.class))
			.<Class<?>>map((each) -> each)
			.toList();
	}

	public static KubernetesObject filled(Class<?> type, String name) throws ReflectiveOperationException {
		if (type == RuleClasses.RecordKind.class) {
			return RuleClasses.RecordKind.filled(name);
		}
		var constructor = type.getDeclaredConstructor();
		constructor.setAccessible(true);
		return ((Hard) constructor.newInstance()).filled(name);
	}

}
