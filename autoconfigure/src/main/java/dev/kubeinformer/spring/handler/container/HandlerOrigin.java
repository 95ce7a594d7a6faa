package dev.kubeinformer.spring.handler.container;

/**
 * Origin of a handler.
 *
 * @param beanName the name of its bean; its id if it is not a bean
 * @param description the description for messages
 */
record HandlerOrigin(String beanName, String description) {

	@Override
	public String toString() {
		return this.description;
	}

}
