package dev.kubeinformer.spring;

/**
 * A class that is written like a custom resource and names none.
 */
class Gadget extends CustomObject {

}
