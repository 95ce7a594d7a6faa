package dev.kubeinformer.spring.handler;

import org.springframework.core.ResolvableType;

import dev.kubeinformer.spring.annotation.InformerHandler;

/**
 * A bean with {@link InformerHandler}, found and not yet looked into.
 *
 * @param name the name of the bean
 * @param type the class behind proxies
 * @param declaredType the most that is known of its generic type
 * @param annotation the annotation, of the bean method or else of the class
 */
record HandlerBean(String name, Class<?> type, ResolvableType declaredType, InformerHandler annotation) {

	/**
	 * Returns the id that the bean has if the annotation gives none.
	 * @return the bean name after its last dot
	 */
	String defaultId() {
		return this.name.substring(this.name.lastIndexOf('.') + 1);
	}

	@Override
	public String toString() {
		return "@InformerHandler bean '%s' (%s)".formatted(this.name, this.type.getName());
	}

}
