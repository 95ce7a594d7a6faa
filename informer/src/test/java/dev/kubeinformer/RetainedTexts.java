package dev.kubeinformer;

import java.lang.ref.Reference;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

/**
 * Texts that an informer holds, in its cache, its codecs and their pools: strings, and
 * arrays of bytes and characters. What a client, its connections and a server hold is
 * left out.
 */
final class RetainedTexts {

	private static final List<String> OWN = List.of("dev.kubeinformer.", "io.kubernetes.client.openapi.models.",
			"io.kubernetes.client.util.generic.dynamic.", "com.google.gson.");

	private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());

	private final Deque<Object> pending = new ArrayDeque<>();

	private final List<String> texts = new ArrayList<>();

	private RetainedTexts() {
	}

	static List<String> of(Object... roots) throws IllegalAccessException {
		RetainedTexts found = new RetainedTexts();
		for (Object root : roots) {
			found.add(root);
		}
		while (!found.pending.isEmpty()) {
			found.look(found.pending.pop());
		}
		return found.texts;
	}

	private void add(@Nullable Object object) {
		if (object != null && this.seen.add(object)) {
			this.pending.push(object);
		}
	}

	private void look(Object object) throws IllegalAccessException {
		if (object instanceof String text) {
			this.texts.add(text);
		}
		else if (object instanceof byte[] bytes) {
			this.texts.add(new String(bytes, StandardCharsets.ISO_8859_1));
		}
		else if (object instanceof char[] characters) {
			this.texts.add(new String(characters));
		}
		else if (object.getClass().isArray() && !object.getClass().getComponentType().isPrimitive()) {
			for (int i = 0; i < Array.getLength(object); i++) {
				add(Array.get(object, i));
			}
		}
		else {
			lookInside(object);
		}
	}

	private void lookInside(Object object) throws IllegalAccessException {
		if (object instanceof Map<?, ?> map) {
			map.forEach((key, value) -> {
				add(key);
				add(value);
			});
		}
		if (object instanceof Collection<?> collection) {
			collection.forEach(this::add);
		}
		if (object instanceof AtomicReference<?> reference) {
			add(reference.get());
		}
		if (object instanceof Reference<?> reference) {
			add(reference.get());
		}
		if (OWN.stream().anyMatch(object.getClass().getName()::startsWith) && !isOfTests(object)) {
			for (Class<?> type = object.getClass(); type != null && type != Object.class; type = type.getSuperclass()) {
				lookAtFields(object, type);
			}
		}
	}

	private static boolean isOfTests(Object object) {
		String name = object.getClass().getName();
		return name.startsWith("dev.kubeinformer.test.") || name.contains("Tests");
	}

	private void lookAtFields(Object object, Class<?> type) throws IllegalAccessException {
		for (Field field : type.getDeclaredFields()) {
			if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()
					&& field.trySetAccessible()) {
				add(field.get(object));
			}
		}
	}

}
