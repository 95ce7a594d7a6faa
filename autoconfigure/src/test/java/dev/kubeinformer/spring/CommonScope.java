package dev.kubeinformer.spring;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.springframework.beans.factory.ObjectFactory;
import org.springframework.beans.factory.config.Scope;

/**
 * Scope whose beans all threads share, like Spring Cloud's refresh scope.
 */
public final class CommonScope implements Scope {

	private final Map<String, Object> beans = new ConcurrentHashMap<>();

	@Override
	public Object get(String name, ObjectFactory<?> factory) {
		Object bean = this.beans.get(name);
		return (bean != null) ? bean : this.beans.computeIfAbsent(name, (key) -> factory.getObject());
	}

	@Override
	public Object remove(String name) {
		return this.beans.remove(name);
	}

	@Override
	public void registerDestructionCallback(String name, Runnable callback) {
		// The beans of the tests need no destruction.
	}

	@Override
	public String getConversationId() {
		return "common";
	}

}
